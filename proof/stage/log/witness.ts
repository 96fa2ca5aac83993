import { decodeBase64, ed25519PublicKey } from '@payassent/protocol';
import {
  cosignNote,
  formatVerifierKey,
  type NoteKey,
  openCheckpoint,
  verifyConsistency,
} from '@payassent/protocol/log';
import {
  type Behaviour,
  type ReceivedRequest,
  startHttpReceiver,
  type TestReceiver,
} from '../surroundings/http-receiver.ts';

/** A witness as C2SP tlog-witness has it: it signs a checkpoint only after the one it signed last. */
export interface TestWitness {
  key: NoteKey;
  /** As `SVC_LOG_WITNESSES` wants it. */
  setting: string;
  /** The sizes it has signed. */
  signed: number[];
  receiver: TestReceiver;
  /** The log that it knows; before that, everything is 404. */
  trust(log: NoteKey): void;
  answer(request: Pick<ReceivedRequest, 'text'>): Behaviour;
}

export async function startWitness(name: string, seed: Uint8Array): Promise<TestWitness> {
  const key: NoteKey = { name, kind: 'cosignature', publicKey: ed25519PublicKey(seed) };
  const receiver = await startHttpReceiver();
  const signed: number[] = [];
  let log: NoteKey | undefined;
  let known = { size: 0, root: new Uint8Array() };
  const refuse = (status: number, body = ''): Behaviour => ({ kind: 'answer', status, body });
  const answer = ({ text }: Pick<ReceivedRequest, 'text'>): Behaviour => {
    const at = text.indexOf('\n\n');
    const [first = '', ...lines] = text.slice(0, at).split('\n');
    const oldSize = Number(/^old (\d+)$/.exec(first)?.[1]);
    const note = text.slice(at + 2);
    if (!log) return refuse(404);
    const opened = openCheckpoint(note, log);
    if (!opened) return refuse(403);
    if (oldSize !== known.size) return refuse(409, `${known.size}\n`);
    const proof = lines.map((line) => decodeBase64(line) ?? new Uint8Array());
    const { size, root } = opened.checkpoint;
    if (!verifyConsistency(known, { size, root }, proof)) return refuse(422);
    known = { size, root: new Uint8Array(root) };
    signed.push(size);
    const textOfNote = note.slice(0, note.indexOf('\n\n') + 1);
    return refuse(200, cosignNote(textOfNote, name, seed, 1_763_200_000));
  };
  receiver.script(answer);
  return {
    key,
    setting: `${formatVerifierKey(key)} ${receiver.url}`,
    signed,
    receiver,
    trust(known) {
      log = known;
    },
    answer,
  };
}
