module github.com/plait-dev/plait

go 1.26
