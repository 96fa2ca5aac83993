/** A fault at the start whose message is all that a person needs. */
export class StartError extends Error {}
