import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { nicknames as texts } from '../../texts/wallet/nicknames.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields.tsx';
import { showHidden } from '../../ui/hidden-characters.ts';
import { isNickname, keepNickname, LONGEST_NICKNAME, nicknamesQuery, useNickname } from './nicknames.ts';

/** Stands beside the real name and never in its place. */
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
    <div>
      <Button kind="plain" onClick={() => setOpen(true)}>
        {nickname === undefined ? texts.add : texts.edit}
      </Button>
    </div>
  );
}

interface FormProps {
  id: string;
  trueName: string;
  nickname: string;
  onDone(): void;
}

function NicknameForm({ id, trueName, nickname, onDone }: FormProps) {
  const cache = useQueryClient();
  const [typed, setTyped] = useState(nickname);
  const [problem, setProblem] = useState<string>();
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const name = typed.trim().normalize('NFC');
    if (name !== '' && !isNickname(name)) return setProblem(texts.invalid);
    await keepNickname(id, name === '' ? undefined : name);
    await cache.invalidateQueries(nicknamesQuery);
    onDone();
  };
  return (
    <form className="stack-tight" onSubmit={save} noValidate>
      <TextField
        label={texts.label(showHidden(trueName))}
        hint={texts.hint}
        error={problem}
        maxLength={LONGEST_NICKNAME}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <div className="row">
        <Button type="submit">{texts.save}</Button>
        <Button kind="plain" onClick={onDone}>
          {texts.cancel}
        </Button>
      </div>
    </form>
  );
}
