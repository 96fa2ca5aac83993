const SERVER_MEMBERS = new Set(['agent_id', 'agent_name', 'merchant_name']);

/** What the service knows better than the agent. */
export function isServerMember(name: string): boolean {
  return SERVER_MEMBERS.has(name);
}

/** What the agent says of itself, without the members that the service knows better. */
export function withoutServerMembers(source: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(source).filter(([name]) => !SERVER_MEMBERS.has(name)));
}
