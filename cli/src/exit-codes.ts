/** What the exit code of `payassent` says; documented in docs/guides/cli.md. */
export const EXIT = {
  ok: 0,
  /** The service refused, or the work failed. */
  refused: 1,
  /** The command line, a file or a setting is wrong; nothing was sent. */
  usage: 2,
  /** No usable answer: not reachable, cut, or not in time. */
  unreachable: 3,
  /** It ended without success: rejected, expired, failed. */
  unfavourable: 4,
  /** `serve` alone: a setting is wrong, and starting again does not help (EX_CONFIG of sysexits.h). */
  settings: 78,
  /** Stopped by Ctrl-C or SIGTERM before it was done. */
  interrupted: 130,
} as const;
