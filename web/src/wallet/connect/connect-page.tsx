import { useEffect, useState } from 'react';
import { connect } from '../../texts/wallet.ts';
import { Page } from '../../ui/page.tsx';
import { ConnectKeyCard } from './connect-key.tsx';
import { type FoundPairing, PairForm } from './pair-form.tsx';
import { PairingReview } from './pairing-review.tsx';

export function ConnectPage() {
  const [found, setFound] = useState<FoundPairing>();
  // A link or QR code may bring the agent's code along; it is out of the address before anybody could keep it.
  const [linked] = useState(() => location.hash.slice(1));
  useEffect(() => {
    if (location.hash !== '') history.replaceState(history.state, '', location.pathname);
  }, []);
  if (found !== undefined) return <PairingReview found={found} onDone={() => setFound(undefined)} />;
  return (
    <Page title={connect.title}>
      <p>{connect.intro}</p>
      <PairForm linked={linked} onFound={setFound} />
      <ConnectKeyCard />
    </Page>
  );
}
