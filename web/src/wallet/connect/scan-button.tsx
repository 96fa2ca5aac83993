import { useState } from 'react';
import { common } from '../../texts/common.ts';
import { connect } from '../../texts/wallet.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialogs.tsx';
import { Loaded, onDemand } from '../../ui/on-demand.tsx';
import type { ScanProps } from './scanner.tsx';

const { scanner } = connect;

const Scanner = onDemand(() => import('./scanner.tsx'), 'Scanner');

export function ScanButton({ accept, onText }: ScanProps) {
  const [isOpen, setOpen] = useState(false);
  const take = (text: string) => {
    onText(text);
    setOpen(false);
  };
  return (
    <div>
      <Button onClick={() => setOpen(true)}>{scanner.title}</Button>
      <Dialog title={scanner.title} isOpen={isOpen} onClose={() => setOpen(false)}>
        {isOpen ? (
          <Loaded>
            <Scanner accept={accept} onText={take} />
          </Loaded>
        ) : null}
        <div>
          <Button onClick={() => setOpen(false)}>{common.close}</Button>
        </div>
      </Dialog>
    </div>
  );
}
