import { describe, expect, it } from 'vitest';
import { createRouter, splitTarget } from './router.ts';

const find = createRouter(
  [
    'GET /v1/things',
    'POST /v1/things',
    'GET /v1/things/{id}',
    'DELETE /v1/things/{id}/parts/{partId}',
    'GET /v1/things/first',
    'PATCH /v1/things/{thingId}',
    'GET /pages/*',
    'GET /',
  ].map((line) => {
    const [method = '', path = ''] = line.split(' ');
    return { method, path, target: line };
  }),
);

/** The matching route with its parameters, or the methods of the path. */
const ask = (method: string, path: string) => {
  const found = find(method, path);
  return found.target === undefined ? found.allowed : [found.target, found.params];
};

describe('the router', () => {
  it('takes a fixed part before a parameter, unless only the parameter has the method', () => {
    expect(ask('GET', '/v1/things/first')).toEqual(['GET /v1/things/first', {}]);
    expect(ask('PATCH', '/v1/things/first')).toEqual(['PATCH /v1/things/{thingId}', { thingId: 'first' }]);
    expect(ask('GET', '/v1/things/x')).toEqual(['GET /v1/things/{id}', { id: 'x' }]);
  });

  it('serves HEAD where it serves GET, and lists every method of a path', () => {
    expect(ask('HEAD', '/v1/things')).toEqual(['GET /v1/things', {}]);
    expect(ask('PUT', '/v1/things')).toEqual(['GET', 'HEAD', 'POST']);
    expect(ask('OPTIONS', '/v1/things/first')).toEqual(['GET', 'HEAD', 'PATCH']);
    expect(ask('GET', '/v1/nothing')).toEqual([]);
  });

  it.each(['/v1/things/', '//v1/things', '/v1//things', '/V1/things', '/v1/things/x/parts/', '', '*'])(
    '%s names nothing',
    (path) => {
      expect(ask('GET', path)).toEqual([]);
    },
  );

  it('decodes each part alone: an encoded slash separates nothing', () => {
    expect(ask('GET', '/v1/th%69ngs/a%2Fb%20c')).toEqual(['GET /v1/things/{id}', { id: 'a/b c' }]);
    expect(ask('GET', '/v1%2Fthings')).toEqual([]);
    expect(ask('GET', '/v1/things/%252F')).toEqual(['GET /v1/things/{id}', { id: '%2F' }]);
  });

  it.each(['/v1/things/%E0%A4%A', '/v1/things/%zz', '/pages/%'])(
    '%s cannot be decoded and names nothing',
    (path) => {
      expect(ask('GET', path)).toEqual([]);
    },
  );

  it('takes an id of up to 1,920 characters', () => {
    expect(ask('GET', `/v1/things/${'a'.repeat(1920)}`)).toHaveLength(2);
    expect(ask('GET', `/v1/things/${'a'.repeat(1921)}`)).toEqual([]);
    expect(ask('GET', `/v1/things/${'%C3%A9'.repeat(1920)}`)).toHaveLength(2);
  });

  it('takes any rest for a star, even an empty one', () => {
    expect(ask('GET', '/pages/')).toEqual(['GET /pages/*', {}]);
    expect(ask('GET', '/pages/a/b')).toEqual(['GET /pages/*', {}]);
    expect(ask('GET', '/pages')).toEqual([]);
  });
});

it.each([
  ['/v1/x?a=1&b=2', '/v1/x', 'a=1&b=2'],
  ['/v1/x#y?z', '/v1/x', 'y?z'],
  ['http://host:1/v1/x?a', '/v1/x', 'a'],
  ['HTTPS://host', '', ''],
  ['ftp://host/x', 'ftp://host/x', ''],
])('the target %s has the path "%s" and the query "%s"', (target, path, query) => {
  expect(splitTarget(target)).toEqual({ path, query });
});
