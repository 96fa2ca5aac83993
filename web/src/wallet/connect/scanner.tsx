import { type RefObject, useEffect, useRef, useState } from 'react';
import { connect } from '../../texts/wallet.ts';
import { Note, Progress } from '../../ui/notes.tsx';

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

type CameraState = 'starting' | 'running' | 'none';

/** Often enough to feel immediate, seldom enough for a slow phone. */
const LOOK_EVERY_MS = 150;
/** Wider pictures only cost time: a code that fills the picture is far coarser. */
const WIDEST = 640;

/** Shows the camera and reads QR codes in its picture. Nothing is recorded; the camera ends with the component. */
function useCamera(onText: (text: string) => void): {
  video: RefObject<HTMLVideoElement | null>;
  state: CameraState;
} {
  const video = useRef<HTMLVideoElement>(null);
  const [state, setState] = useState<CameraState>('starting');
  const latest = useRef(onText);
  latest.current = onText;
  useEffect(() => {
    const ending = new AbortController();
    const run = async () => {
      const [{ default: decode }, stream] = await Promise.all([
        import('qr/decode.js'),
        navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } }),
      ]);
      const stop = () => {
        for (const track of stream.getTracks()) track.stop();
      };
      if (ending.signal.aborted || video.current === null) return stop();
      ending.signal.addEventListener('abort', stop);
      video.current.srcObject = stream;
      await video.current.play();
      setState('running');
      const look = readerOf(video.current, decode);
      const timer = setInterval(() => {
        const text = look();
        if (text !== undefined) latest.current(text);
      }, LOOK_EVERY_MS);
      ending.signal.addEventListener('abort', () => clearInterval(timer));
    };
    run().catch(() => {
      if (!ending.signal.aborted) setState('none');
    });
    return () => ending.abort();
  }, []);
  return { video, state };
}

type Decode = (image: { width: number; height: number; data: Uint8ClampedArray }) => string;

function readerOf(video: HTMLVideoElement, decode: Decode): () => string | undefined {
  const canvas = document.createElement('canvas');
  const pen = canvas.getContext('2d', { willReadFrequently: true });
  return () => {
    const { videoWidth, videoHeight } = video;
    if (pen === null || videoWidth === 0) return undefined;
    const scale = Math.min(1, WIDEST / videoWidth);
    canvas.width = Math.round(videoWidth * scale);
    canvas.height = Math.round(videoHeight * scale);
    pen.drawImage(video, 0, 0, canvas.width, canvas.height);
    const { width, height, data } = pen.getImageData(0, 0, canvas.width, canvas.height);
    try {
      return decode({ width, height, data });
    } catch {
      // Most pictures show no code.
      return undefined;
    }
  };
}
