import type { EmailGrant, OpenSession } from '@payassent/sdk';
import { useMutation } from '@tanstack/react-query';
import { signInTexts } from '../../texts/portal/sign-in.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Badge } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { PartyName } from '../../ui/party-name.tsx';
import { merchantClient } from '../client.ts';

const texts = signInTexts.choose;

interface ChooseProps {
  grant: EmailGrant;
  onOpened(opened: OpenSession): void;
  onRefused(error: unknown): void;
  onFound(): void;
}

export function ChooseOrganization({ grant, onOpened, onRefused, onFound }: ChooseProps) {
  const open = useMutation({
    mutationFn: (choiceId: string) =>
      merchantClient.sessions.open({ session_grant: grant.session_grant, choice_id: choiceId }),
    onSuccess: onOpened,
    onError: onRefused,
  });
  return (
    <Page title={texts.title}>
      <p>{texts.lead}</p>
      <ul className="choices">
        {grant.merchants.map(({ choice_id, name, status }) => (
          <li key={choice_id}>
            <button
              type="button"
              className="choice"
              disabled={open.isPending}
              aria-busy={open.isPending && open.variables === choice_id}
              onClick={() => open.mutate(choice_id)}
            >
              <PartyName inline>{name}</PartyName>
              <Badge tone={status === 'active' ? 'good' : 'warn'}>{texts[status]}</Badge>
            </button>
          </li>
        ))}
      </ul>
      {open.isError ? <ErrorNote error={open.error} /> : null}
      <div className="row">
        <Button kind="plain" onClick={onFound}>
          {texts.another}
        </Button>
      </div>
    </Page>
  );
}
