import { useState } from 'react';
import { connect } from '../../texts/wallet.ts';
import { Page } from '../../ui/page.tsx';
import { ConnectKeyCard } from './connect-key.tsx';
import { type FoundPairing, PairForm } from './pair-form.tsx';
import { PairingReview } from './pairing-review.tsx';

export function ConnectPage() {
  const [found, setFound] = useState<FoundPairing>();
  if (found !== undefined) return <PairingReview found={found} onDone={() => setFound(undefined)} />;
  return (
    <Page title={connect.title}>
      <p>{connect.intro}</p>
      <PairForm onFound={setFound} />
      <ConnectKeyCard />
    </Page>
  );
}
