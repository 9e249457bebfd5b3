package v1alpha1

// The conditions of an AgentTemplate; those of a template and one harness have the same types. Ready sums up the others.
const (
	// ConditionReady is true when every harness that takes the template serves its newest revision.
	ConditionReady = "Ready"
	// ConditionAccepted says whether a Harness takes the template.
	ConditionAccepted = "Accepted"
	// ConditionResolvedRefs says whether everything that is referred to is there.
	ConditionResolvedRefs = "ResolvedRefs"
	// ConditionCompatible says whether the document is valid and the harness may and can run it.
	ConditionCompatible = "Compatible"
	// ConditionDurable, of a Harness, says whether sessions outlive a pod.
	ConditionDurable = "Durable"
	// ConditionAuthenticated, of a Harness, says whether callers have to prove who they are.
	ConditionAuthenticated = "Authenticated"
)

// The reasons of ConditionReady. It has those of the other conditions, too, when they are why it is false.
const (
	// ReasonReady says that the newest revision serves.
	ReasonReady = "Ready"
	// ReasonProgressing says that the newest revision is on its way.
	ReasonProgressing = "Progressing"
	// ReasonRolloutStuck says that pods of the newest revision don't become ready in time.
	ReasonRolloutStuck = "RolloutStuck"
	// ReasonSuspended says that spec.suspend keeps the revision that runs.
	ReasonSuspended = "Suspended"
	// ReasonPinned says that spec.revision keeps a revision.
	ReasonPinned = "Pinned"
	// ReasonRevisionMissing says that the revision of spec.revision isn't there any more.
	ReasonRevisionMissing = "RevisionMissing"
	// ReasonNameTaken says that an object of a name that is needed belongs to somebody else.
	ReasonNameTaken = "NameTaken"
	// ReasonRejected says that the API server refuses an object that the revision needs.
	ReasonRejected = "Rejected"
	// ReasonScaledToZero says that the Harness wants no replicas.
	ReasonScaledToZero = "ScaledToZero"
	// ReasonInvalidSelector says that the selector of a Harness can't be read, so that nobody knows which templates it takes.
	ReasonInvalidSelector = "InvalidSelector"
)

// The reasons of ConditionAccepted.
const (
	// ReasonAccepted says that a Harness takes the template.
	ReasonAccepted = "Accepted"
	// ReasonNotSelected says that no Harness of the namespace takes the template.
	ReasonNotSelected = "NotSelected"
)

// The reasons of ConditionResolvedRefs.
const (
	// ReasonResolved says that every reference leads to something.
	ReasonResolved = "Resolved"
	// ReasonReferenceMissing says that an object or a key isn't there.
	ReasonReferenceMissing = "ReferenceMissing"
)

// The reasons of ConditionCompatible.
const (
	// ReasonCompatible says that the document is valid and the harness may and can run it.
	ReasonCompatible = "Compatible"
	// ReasonWorkflowInvalid says that the document has errors.
	ReasonWorkflowInvalid = "WorkflowInvalid"
	// ReasonPolicyViolation says that the document asks for what the Harness doesn't allow.
	ReasonPolicyViolation = "PolicyViolation"
	// ReasonDocumentsUnsupported says that the image of the Harness runs no documents.
	ReasonDocumentsUnsupported = "DocumentsUnsupported"
	// ReasonTooLarge says that the config doesn't fit into a ConfigMap.
	ReasonTooLarge = "TooLarge"
)

// The reasons of ConditionDurable and ConditionAuthenticated.
const (
	// ReasonPersistent says that sessions are kept on a claim.
	ReasonPersistent = "Persistent"
	// ReasonEphemeralSessions says that sessions end with their pod.
	ReasonEphemeralSessions = "EphemeralSessions"
	// ReasonBearer says that callers need a key.
	ReasonBearer = "Bearer"
	// ReasonUnauthenticated says that everybody is let in.
	ReasonUnauthenticated = "Unauthenticated"
)

// The reasons of events that aren't reasons of conditions.
const (
	// EventRevisionCreated tells of a new revision.
	EventRevisionCreated = "RevisionCreated"
	// EventRevisionReady tells that a revision serves for the first time.
	EventRevisionReady = "RevisionReady"
	// EventInputChanged says which input made a new revision.
	EventInputChanged = "InputChanged"
)
