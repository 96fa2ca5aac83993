/** As many colours as people can distinguish; none of them is a colour of the page. */
const HUES = 12;

/**
 * A picture derived from an id alone: an agent always has the same picture, and another one a different picture. No
 * agent can choose its picture, because the service issues the ids.
 */
export function Avatar({ id }: { id: string }) {
  const bits = hashOf(id);
  const hue = (bits % HUES) * (360 / HUES);
  const dots = [0, 1, 2].map((index) => {
    const part = bits >>> (4 + index * 9);
    return { x: 6 + (part & 7) * 4, y: 6 + ((part >>> 3) & 7) * 4, r: 7 + ((part >>> 6) & 7) };
  });
  return (
    <svg className="avatar" viewBox="0 0 40 40" aria-hidden="true">
      <rect width="40" height="40" fill={`hsl(${hue} 48% 40%)`} />
      {dots.map(({ x, y, r }, index) => (
        <circle
          // biome-ignore lint/suspicious/noArrayIndexKey: three dots in a fixed order, two of which may be equal
          key={index}
          cx={x}
          cy={y}
          r={r}
          fill={`hsl(${(hue + 40 * (index + 1)) % 360} 62% ${56 + index * 9}%)`}
          opacity="0.85"
        />
      ))}
    </svg>
  );
}

/** FNV-1a: short, and any change of the text changes it. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return (hash ^ (hash >>> 15)) >>> 0;
}
