import { type RefObject, useEffect, useRef, useState } from 'react';

type CameraState = 'starting' | 'running' | 'none';

/** Often enough to feel immediate, seldom enough for a slow phone. */
const LOOK_EVERY_MS = 150;
/** Wider pictures only cost time: a code that fills the picture is far coarser. */
const WIDEST = 640;

/** Shows the camera and reads QR codes in its picture. Nothing is recorded; the camera ends with the component. */
export function useCamera(onText: (text: string) => void): {
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
