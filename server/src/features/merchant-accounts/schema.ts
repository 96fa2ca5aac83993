import type { Issue } from '@payassent/protocol';

/** `next_grant` alone, or `session_grant` with `choice_id`. */
export function sessionInputIssues(body: {
  next_grant?: string;
  session_grant?: string;
  choice_id?: string;
}): Issue[] {
  const { next_grant, session_grant, choice_id } = body;
  if (next_grant !== undefined) {
    return (['session_grant', 'choice_id'] as const)
      .filter((field) => body[field] !== undefined)
      .map((field) => ({
        field,
        code: 'invalid_format',
        message: `${field} cannot be sent together with next_grant: send one of the two grants.`,
      }));
  }
  if (session_grant === undefined && choice_id === undefined)
    return [required('next_grant', 'Send next_grant, or session_grant with choice_id.')];
  if (session_grant === undefined)
    return [required('session_grant', 'session_grant is required beside choice_id.')];
  if (choice_id === undefined) return [required('choice_id', 'choice_id is required beside session_grant.')];
  return [];
}

function required(field: string, message: string): Issue {
  return { field, code: 'required', message };
}
