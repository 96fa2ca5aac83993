import { useEffect, useRef, useState } from 'react';
import { keyTexts } from '../../texts/portal/agents.ts';
import { Button } from '../../ui/button.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { useLeaveGuard } from '../shell/leave-guard.tsx';
import type { MadeKey } from './make-key-form.tsx';
import { keyFileName } from './pem.ts';

const texts = keyTexts.download;

/** The only moment at which the private key can be had: to download, then to forget. */
export function KeyDownload({ made: { kid, pem }, onForget }: { made: MadeKey; onForget(): void }) {
  const [isSaved, setSaved] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  useLeaveGuard(pem !== undefined && !isSaved, texts.leave);
  if (pem === undefined)
    return (
      <div className="note" data-kind="good" role="status">
        {texts.forgotten}
      </div>
    );
  const download = () => {
    saveFile(keyFileName(kid), pem, 'application/x-pem-file');
    setSaved(true);
  };
  return (
    <section className="note section" data-kind="warn" aria-labelledby="download-key">
      <h3 id="download-key" ref={heading} tabIndex={-1}>
        {texts.title}
      </h3>
      <p>{texts.body}</p>
      <div className="row">
        <Button kind={isSaved ? 'usual' : 'main'} onClick={download}>
          {isSaved ? texts.again : texts.action}
        </Button>
        {isSaved ? (
          <Button kind="main" onClick={onForget}>
            {texts.forget}
          </Button>
        ) : null}
      </div>
      <p className="soft" role="status">
        {isSaved ? texts.saved : ''}
      </p>
      <p className="soft">{texts.lost}</p>
    </section>
  );
}
