import { describe, expect, it } from 'vitest';
import { judgeUrl } from './judge-url.ts';

function verdict(text: string, allowLoopback = false): string {
  const judgement = judgeUrl(text, { allowLoopback });
  return judgement.ok ? judgement.url.href : judgement.reason;
}

describe('an address for strangers', () => {
  it.each([
    ['https://shop.example/hook', 'https://shop.example/hook'],
    ['https://shop.example', 'https://shop.example/'],
    ['HTTPS://Shop.Example:8443/a?b=c#d', 'https://shop.example:8443/a?b=c#d'],
    ['https://münchen.example/', 'https://xn--mnchen-3ya.example/'],
    ['https://shop.example./', 'https://shop.example./'],
    ['https://8.8.8.8/', 'https://8.8.8.8/'],
    ['https://[2606:4700:4700::1111]/', 'https://[2606:4700:4700::1111]/'],
    ['https://intranet/', 'https://intranet/'],
    ['https://shop.example/path@x', 'https://shop.example/path@x'],
    [`https://shop.example/${'a'.repeat(2_000)}`, `https://shop.example/${'a'.repeat(2_000)}`],
  ])('may be %s', (text, href) => {
    expect(verdict(text)).toBe(href);
  });

  it.each([
    ['scheme_not_allowed', 'http://shop.example/'],
    ['scheme_not_allowed', 'http://8.8.8.8/'],
    ['scheme_not_allowed', 'ftp://shop.example/'],
    ['scheme_not_allowed', 'file:///etc/passwd'],
    ['scheme_not_allowed', 'gopher://shop.example:25/_HELO'],
    ['scheme_not_allowed', 'javascript:alert(1)'],
    ['scheme_not_allowed', 'data:text/plain,x'],
    ['scheme_not_allowed', 'ws://shop.example/'],
    ['scheme_not_allowed', 'unix:/run/docker.sock'],
    ['user_info_not_allowed', 'https://user@shop.example/'],
    ['user_info_not_allowed', 'https://user:password@shop.example/'],
    ['user_info_not_allowed', 'https://@shop.example/'],
    ['user_info_not_allowed', 'https://:@shop.example/'],
    ['user_info_not_allowed', 'https://shop.example:443@evil.example/'],
    ['invalid_format', ''],
    ['invalid_format', 'shop.example'],
    ['invalid_format', '//shop.example/'],
    ['invalid_format', '/hook'],
    ['invalid_format', 'https:'],
    ['invalid_format', 'https://'],
    ['invalid_format', 'https:///shop.example'],
    ['invalid_format', 'https:/shop.example'],
    ['invalid_format', 'https:shop.example'],
    ['invalid_format', 'https://./'],
    ['invalid_format', 'https://shop..example/'],
    ['invalid_format', 'https://shop.example:99999/'],
    ['invalid_format', 'https://shop.example:port/'],
    ['invalid_format', ' https://shop.example/'],
    ['invalid_format', 'https://shop.example/ '],
    ['invalid_format', 'https://shop.exa\tmple/'],
    ['invalid_format', 'https://shop.example/\r\nx: y'],
    ['invalid_format', 'https://shop.example\\@evil.example/'],
    ['invalid_format', 'https://[::1'],
    ['invalid_format', 'https://[fe80::1%25eth0]/'],
    ['invalid_format', 'https://1.2.3.4.5/'],
    ['invalid_format', 'https://256.0.0.1/'],
    ['invalid_format', 'https://shop%00.example/'],
    ['invalid_format', 'https://sh*op^.example/'],
    ['too_long', `https://shop.example/${'a'.repeat(2_048)}`],
  ])('is refused as %s: %j', (reason, text) => {
    expect(verdict(text)).toBe(reason);
  });
});

describe('loopback', () => {
  const loopbackUrls = [
    'http://127.0.0.1:8080/hook',
    'https://127.0.0.1/',
    'http://127.255.0.3/',
    'http://localhost:3000/',
    'http://LOCALHOST/',
    'http://localhost./',
    'http://hooks.localhost/',
    'http://[::1]:9000/',
    'https://localhost/',
  ];

  it.each(loopbackUrls)('passes where it is allowed, over http as well: %s', (text) => {
    expect(verdict(text, true)).toBe(new URL(text).href);
    expect(verdict(text, false)).toBe('blocked_address');
  });

  it.each([
    ['scheme_not_allowed', 'http://shop.example/'],
    ['scheme_not_allowed', 'http://localhost.shop.example/'],
    ['scheme_not_allowed', 'http://8.8.8.8/'],
    ['blocked_address', 'http://10.0.0.1/'],
    ['blocked_address', 'https://192.168.0.1/'],
    ['blocked_address', 'https://169.254.169.254/latest/meta-data/'],
    ['blocked_address', 'https://0.0.0.0/'],
    ['blocked_address', 'https://[::]/'],
    ['blocked_address', 'https://[::ffff:127.0.0.1]/'],
    ['blocked_address', 'https://[fd00::2]/'],
  ])('opens nothing else: %s for %s', (reason, text) => {
    expect(verdict(text, true)).toBe(reason);
  });
});
