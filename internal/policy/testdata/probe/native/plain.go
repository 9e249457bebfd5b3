package native
