/** The CSRF proof of the session. It lives in this variable and nowhere else. */
let csrfToken;

export function keepCsrfToken(token) {
  csrfToken = token;
}

export class Refusal extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** One call to the service; what it refuses becomes a Refusal with a text for people. */
export async function call(method, path, body) {
  const headers = { accept: 'application/json' };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (csrfToken !== undefined) headers['x-csrf-token'] = csrfToken;
  let response;
  try {
    response = await fetch(path, {
      method,
      headers,
      credentials: 'same-origin',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch {
    throw new Refusal('unreachable', 'The service cannot be reached. Check your connection and try again.');
  }
  const answer = await response.json().catch(() => undefined);
  if (answer?.ok) return answer;
  const error = answer?.error;
  throw new Refusal(
    error?.code ?? 'unknown',
    error?.message ?? `The service answered with status ${response.status}. Try again in a moment.`,
  );
}
