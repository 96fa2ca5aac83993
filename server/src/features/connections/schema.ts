import type { Issue, Scope } from '@payassent/protocol';

export function connectionChangeIssues(body: { status?: unknown; seen_names?: unknown }): Issue[] {
  if (body.status !== undefined || body.seen_names !== undefined) return [];
  return [{ field: 'status', code: 'required', message: 'Name what to change: status or seen_names.' }];
}

/** What a wallet approves must have been asked for. */
export function notRequestedIssues(scopes: readonly string[], requested: readonly Scope[]): Issue[] {
  return scopes.flatMap((scope, index): Issue[] =>
    (requested as readonly string[]).includes(scope)
      ? []
      : [
          {
            field: `scopes[${index}]`,
            code: 'scope_not_allowed',
            message: `scopes[${index}] was not requested; approve some of ${requested.join(', ')}.`,
          },
        ],
  );
}
