import { makesClaims } from '@payassent/protocol';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { nicknames as texts } from '../../texts/wallet/nicknames.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { showHidden } from '../../ui/hidden-characters.ts';
import { refresh } from '../../ui/queries.ts';
import { change, readEntry } from '../storage/database.ts';

/** Shown next to the real name and never in its place. */
export function Nickname({ id }: { id: string }) {
  const nickname = useNickname(id);
  if (nickname === undefined) return null;
  return (
    <span className="soft" data-fact="nickname">
      {texts.yours} <bdi>{nickname}</bdi>
    </span>
  );
}

export function EditNickname({ id, trueName }: { id: string; trueName: string }) {
  const nickname = useNickname(id);
  const [isOpen, setOpen] = useState(false);
  if (isOpen)
    return (
      <NicknameForm id={id} trueName={trueName} nickname={nickname ?? ''} onDone={() => setOpen(false)} />
    );
  return (
    <Button kind="plain" onClick={() => setOpen(true)}>
      {nickname === undefined ? texts.add : texts.edit}
    </Button>
  );
}

interface FormProps {
  id: string;
  trueName: string;
  nickname: string;
  onDone(): void;
}

function NicknameForm({ id, trueName, nickname, onDone }: FormProps) {
  const [typed, setTyped] = useState(nickname);
  const [problem, setProblem] = useState<string>();
  const save = async () => {
    const name = typed.trim().normalize('NFC');
    if (name !== '' && !isNickname(name)) return setProblem(texts.invalid);
    await keepNickname(id, name === '' ? undefined : name);
    await refresh('nicknames');
    onDone();
  };
  const cancel = (
    <Button kind="plain" onClick={onDone}>
      {texts.cancel}
    </Button>
  );
  return (
    <Form className="stack-tight" kind="usual" action={texts.save} run={save} extra={cancel} noValidate>
      <TextField
        label={texts.label(showHidden(trueName))}
        hint={texts.hint}
        error={problem}
        maxLength={LONGEST_NICKNAME}
        value={typed}
        onValue={setTyped}
      />
    </Form>
  );
}

/**
 * Names that the customer gave to agents and devices, by the id of the connection or device. They stay in this browser.
 */
type Nicknames = Readonly<Record<string, string>>;

const KEY = 'nicknames';

const nicknamesQuery = queryOptions({
  queryKey: ['nicknames'],
  queryFn: async () => (await readEntry<Nicknames>('device', KEY)) ?? {},
});

/** Undefined removes the name. */
function keepNickname(id: string, name: string | undefined): Promise<void> {
  return change(['device'], (transaction) => {
    const store = transaction.objectStore('device');
    const found: IDBRequest<Nicknames | undefined> = store.get(KEY);
    found.onsuccess = () => {
      const { [id]: _former, ...others } = found.result ?? {};
      store.put(name === undefined ? others : { ...others, [id]: name }, KEY);
    };
  });
}

/**
 * Letters, the ten digits and a few signs: without a dot, or anything that is drawn like one, no name resembles a
 * domain. Words reserved for the page are refused as in every name.
 */
const PLAIN =
  /^[\p{Lu}\p{Ll}\p{Lt}\p{Lo}0-9](?:[\p{Lu}\p{Ll}\p{Lt}\p{Lo}0-9 '’&-]*[\p{Lu}\p{Ll}\p{Lt}\p{Lo}0-9])?$/u;
const LONGEST_NICKNAME = 40;

export function isNickname(name: string): boolean {
  return (
    name.length <= LONGEST_NICKNAME && PLAIN.test(name) && showHidden(name) === name && !makesClaims(name)
  );
}

function useNickname(id: string): string | undefined {
  const kept = useQuery(nicknamesQuery).data?.[id];
  // Another page of this origin may have written it.
  return kept !== undefined && isNickname(kept) ? kept : undefined;
}
