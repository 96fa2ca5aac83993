import { useState } from 'react';
import { connect } from '../../texts/wallet.ts';
import { Note, Progress } from '../../ui/notes.tsx';
import { useCamera } from './use-camera.ts';

const { scanner } = connect;

export interface ScanProps {
  /** A sentence when this is not the right kind of code. */
  accept(text: string): string | undefined;
  onText(text: string): void;
}

export function Scanner({ accept, onText }: ScanProps) {
  const [refusal, setRefusal] = useState<string>();
  const { video, state } = useCamera((text) => {
    const problem = accept(text);
    setRefusal(problem);
    if (problem === undefined) onText(text);
  });
  if (state === 'none')
    return (
      <Note kind="warn">
        <strong>{scanner.none}</strong>
        <span>{scanner.whyNone}</span>
      </Note>
    );
  return (
    <div className="stack-tight">
      {state === 'starting' ? <Progress>{scanner.starting}</Progress> : <p>{scanner.hint}</p>}
      <video className="scanner" ref={video} aria-label={scanner.video} muted playsInline />
      {refusal === undefined ? null : <Note kind="warn">{refusal}</Note>}
    </div>
  );
}
