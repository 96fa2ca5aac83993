import pino, { type Logger } from 'pino';

export type { Logger };

/**
 * Structured lines on standard output. It never receives anything that may contain a secret: routes are logged by
 * pattern, never by URL, and bodies and headers not at all. The paths below are a second barrier. `more` is in every
 * line.
 */
export function createLog(level: string, more?: () => object): Logger {
  return pino({
    level,
    ...(more ? { mixin: more } : {}),
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: [
        'token',
        'secret',
        'signature',
        'authorization',
        'cookie',
        '*.token',
        '*.secret',
        '*.signature',
        '*.authorization',
        '*.cookie',
        'err.query',
        'err.parameters',
        'err.args',
      ],
      censor: '[secret]',
    },
    serializers: { err: describeError },
  });
}

/** A database error carries its parameters; only what identifies the failure is kept. */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code, constraint_name, routine } = error as {
    code?: unknown;
    constraint_name?: unknown;
    routine?: unknown;
  };
  return {
    type: error.name,
    message: error.message,
    code,
    constraint: constraint_name,
    routine,
    stack: error.stack,
  };
}
