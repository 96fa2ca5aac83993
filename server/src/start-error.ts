/** A fault at the start whose message is all that a person needs. */
export class StartError extends Error {}

/** What an operator's command was asked for cannot be done. */
export class OperatorError extends StartError {}
