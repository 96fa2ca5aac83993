import { stellar } from '../../texts/wallet/stellar.ts';
import { createStore } from '../../ui/store.ts';
import { CannotSignError } from '../signing/signer.ts';

/**
 * The browser extension Freighter, by the messages of its public API: the page posts a request to itself, and the
 * extension's script responds in the same way. Any script on this page can respond in its name, so nothing in a
 * response is trusted without a valid signature.
 */
type Request =
  | { type: 'REQUEST_CONNECTION_STATUS' }
  | { type: 'REQUEST_ACCESS' }
  | { type: 'REQUEST_NETWORK_DETAILS' }
  | {
      type: 'SUBMIT_TRANSACTION';
      transactionXdr: string;
      networkPassphrase: string;
      accountToSign: string;
    };

type Answer = Record<string, unknown>;

/** A person may have to unlock the extension and read what it shows. */
const PATIENCE_MS = 4 * 60_000;

const { freighter: texts } = stellar;

function ask(request: Request, signal: AbortSignal): Promise<Answer> {
  const [messageId] = crypto.getRandomValues(new Uint32Array(1));
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new CannotSignError(texts.silent)), { once: true });
    addEventListener(
      'message',
      ({ source, origin, data }) => {
        if (source !== window || origin !== location.origin) return;
        if (data?.source !== 'FREIGHTER_EXTERNAL_MSG_RESPONSE' || data.messagedId !== messageId) return;
        resolve(data);
      },
      { signal },
    );
    postMessage({ source: 'FREIGHTER_EXTERNAL_MSG_REQUEST', messageId, ...request }, location.origin);
  });
}

async function askPerson(request: Request): Promise<Answer> {
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(), PATIENCE_MS);
  try {
    const answer = await ask(request, ending.signal);
    if (answer['apiError']) throw new CannotSignError(texts.declined);
    return answer;
  } finally {
    clearTimeout(timer);
    ending.abort();
  }
}

export const freighterPresence = createStore(false);

/** Queries once whether the extension is installed. Without it there is never a response, and nothing waits for one. */
export const lookForFreighter = once(async () => {
  const { isConnected } = await ask({ type: 'REQUEST_CONNECTION_STATUS' }, new AbortController().signal);
  freighterPresence.set(isConnected === true);
});

/** The account that the customer lets this page see; the extension prompts for permission the first time. */
export async function freighterAddress(): Promise<string> {
  const { publicKey } = await askPerson({ type: 'REQUEST_ACCESS' });
  if (typeof publicKey !== 'string' || publicKey === '') throw new CannotSignError(texts.declined);
  return publicKey;
}

export async function freighterPassphrase(): Promise<unknown> {
  const { networkDetails } = await askPerson({ type: 'REQUEST_NETWORK_DETAILS' });
  return (networkDetails as { networkPassphrase?: unknown } | undefined)?.networkPassphrase;
}

/** The envelope that comes back, whatever is in it. */
export async function signByFreighter(
  transactionXdr: string,
  accountToSign: string,
  networkPassphrase: string,
): Promise<string> {
  const request = {
    type: 'SUBMIT_TRANSACTION',
    transactionXdr,
    networkPassphrase,
    accountToSign,
  } as const;
  const { signedTransaction } = await askPerson(request);
  return typeof signedTransaction === 'string' ? signedTransaction : '';
}

function once(act: () => Promise<void>): () => void {
  let isDone = false;
  return () => {
    if (!isDone) void act();
    isDone = true;
  };
}
