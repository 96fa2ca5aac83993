import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { webhooks } from '../../texts/portal/webhooks.ts';
import { Button } from '../../ui/button.tsx';
import { ShownOnce } from '../../ui/copy-button.tsx';
import { ConfirmButton } from '../../ui/dialogs.tsx';
import { merchantClient } from '../client.ts';
import { offered } from '../shell/offered.tsx';

const texts = webhooks.secret;

export const SecretPanel = offered(
  'POST /v1/webhook-endpoints/{}/rotate-secret',
  function SecretPanel({ id }: { id: string }) {
    const [secret, setSecret] = useState<string>();
    const queries = useQueryClient();
    const rotate = async () => {
      setSecret((await merchantClient.webhooks.rotateSecret(id)).secret);
      await queries.invalidateQueries({ queryKey: ['webhooks'] });
    };
    return (
      <section className="card stack" aria-label={texts.title}>
        <h2>{texts.title}</h2>
        {secret === undefined ? (
          <>
            <p className="soft">{texts.lead}</p>
            <div>
              <ConfirmButton
                label={texts.rotate}
                title={texts.dialog}
                confirmLabel={texts.confirm}
                kind="usual"
                run={rotate}
              >
                {texts.explain}
              </ConfirmButton>
            </div>
          </>
        ) : (
          <>
            <ShownOnce value={secret} name={texts.name} />
            <p className="soft">{texts.after}</p>
            <div>
              <Button onClick={() => setSecret(undefined)}>{texts.done}</Button>
            </div>
          </>
        )}
      </section>
    );
  },
);
