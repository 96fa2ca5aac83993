import { shell } from '../../texts/wallet.ts';
import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/notes.tsx';
import { useInstallOffer } from './install-offer.ts';

export function InstallHint() {
  const offer = useInstallOffer();
  if (offer === undefined) return null;
  return (
    <Note>
      <strong>{shell.install.title}</strong>
      <span>{shell.install.text}</span>
      {offer.install === undefined ? <span>{shell.install.byHand}</span> : null}
      <div className="row">
        {offer.install === undefined ? null : <Button onClick={offer.install}>{shell.install.action}</Button>}
        <Button kind="plain" onClick={offer.dismiss}>
          {shell.install.dismiss}
        </Button>
      </div>
    </Note>
  );
}
