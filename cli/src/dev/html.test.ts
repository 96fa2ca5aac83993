import { describe, expect, it } from 'vitest';
import { html, linked, page } from './html.ts';

describe('pages', () => {
  it('keep what is put in as text, also inside attributes', () => {
    const hostile = `"><script>alert('x')</script>&`;
    expect(html`<a title="${hostile}">${hostile}</a>`.markup).toBe(
      '<a title="&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;">' +
        '&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;</a>',
    );
    expect(html`<b>${[html`<i>${1}</i>`, html`<i>${'<'}</i>`]}</b>`.markup).toBe(
      '<b><i>1</i><i>&lt;</i></b>',
    );
  });

  it('make links of web addresses only', () => {
    const text = 'see http://127.0.0.1:8787/portal/verify#token=a&b or javascript:alert(1) <b>';
    expect(html`${linked(text)}`.markup).toBe(
      'see <a href="http://127.0.0.1:8787/portal/verify#token=a&amp;b" rel="noreferrer noopener" target="_blank">' +
        'http://127.0.0.1:8787/portal/verify#token=a&amp;b</a> or javascript:alert(1) &lt;b&gt;',
    );
  });

  it('may load and run nothing', () => {
    const { headers } = page('<t>', html`<p>x</p>`);
    expect(headers?.['content-security-policy']).toBe(
      "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(headers?.['referrer-policy']).toBe('no-referrer');
  });
});
