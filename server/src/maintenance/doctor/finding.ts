/** One finding of `payassent doctor`, with its fix. */
export interface Finding {
  check: string;
  /** A `fault` keeps the service from working as promised; a warning does not, yet. */
  status: 'ok' | 'warning' | 'fault';
  found: string;
  fix: string | null;
}

export const ok = (check: string, found: string): Finding => ({ check, status: 'ok', found, fix: null });
export const warning = (check: string, found: string, fix: string): Finding => ({
  check,
  status: 'warning',
  found,
  fix,
});
export const fault = (check: string, found: string, fix: string): Finding => ({
  check,
  status: 'fault',
  found,
  fix,
});

/** A code where there is one: messages may repeat passwords and addresses. */
export function reasonOf(error: unknown): string {
  const { code, cause, message } = error as { code?: unknown; cause?: unknown; message?: unknown };
  if (typeof code === 'string') return code;
  if (cause !== undefined) return reasonOf(cause);
  return typeof message === 'string' ? message : String(error);
}
