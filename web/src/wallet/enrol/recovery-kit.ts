import encodeQr from 'qr';
import { language, locale } from '../../texts/language.ts';
import { enrol } from '../../texts/wallet.ts';

const texts = enrol.kept;
const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:3rem auto;padding:0 1rem;color:#17202b}' +
  'code{display:block;padding:1rem;border:2px solid #1d4f91;border-radius:12px;font-size:1.15rem;word-spacing:.3em}' +
  'svg{width:12rem;margin:1rem 0}';

/** A page to keep or print that needs nothing but itself. */
export function recoveryKit({ code, walletId }: { code: string; walletId: string }): string {
  const groups = code.match(/.{1,4}/g)?.join(' ') ?? code;
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long' }).format(new Date());
  return `<!doctype html>
<html lang="${language}"><meta charset="utf-8"><title>${texts.kit}</title><style>${STYLE}</style>
<h1>${texts.kit}</h1>
<p>${texts.kitHow(`${location.origin}/wallet`)}</p>
<code>${groups}</code>
${encodeQr(code, 'svg')}
<p>${walletId} · ${date}</p>
<p>${texts.kitSecret}</p>
</html>
`;
}
