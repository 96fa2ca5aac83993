import encodeQr from 'qr';
import { useMemo } from 'react';

const QUIET_ZONE = 4;

/** Drawn as one path: no image to load, no markup from outside. Always dark on light, as scanners expect. */
export function QrCode({ value, label }: { value: string; label: string }) {
  const { size, path } = useMemo(() => {
    const modules = encodeQr(value, 'raw', { border: QUIET_ZONE });
    const cells = modules.flatMap((line, y) =>
      line.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])),
    );
    return { size: modules.length, path: cells.join('') };
  }, [value]);
  return (
    <svg
      className="qr"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
