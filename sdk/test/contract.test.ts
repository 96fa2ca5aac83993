import { readFileSync } from 'node:fs';
import { serviceForTest } from '@payassent/proof/service/service';
import * as api from '@payassent/protocol/api';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type * as types from '../src/core/operation-data.ts';
import * as calls from '../src/operations.ts';
import { readModules } from './api-page/parse.ts';
import { bundleSmoke } from './harness/bundle.ts';
import { sourceFiles } from './harness/sources.ts';

const operations = Object.entries(api as Record<string, unknown>).flatMap(([name, value]) =>
  api.isOperation(value) ? [{ ...value, exportedAs: name }] : [],
);
const sources = sourceFiles();

/** Operations that deliberately have no method, each with the reason. */
const WITHOUT_METHOD: Readonly<Record<string, string>> = {};

function committed(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
}

/** `id METHOD path`, so that a call under another name or address is a difference too. */
const named = ({ id, method, path }: { id: string; method: string; path: string }) =>
  `${id} ${method} ${path}`;

function inOpenApi(): string[] {
  const { paths } = JSON.parse(committed('openapi.json')) as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    path.startsWith('/v1/')
      ? Object.entries(methods).map(([method, { operationId: id }]) =>
          named({ id, method: method.toUpperCase(), path }),
        )
      : [],
  );
}

function inDocs(): string[] {
  return [...committed('docs/API.md').matchAll(/^\| `(\w+)` \| `([A-Z]+) ([^`]+)`/gm)].map(
    ([, id = '', method = '', path = '']) => named({ id, method, path }),
  );
}

/** Every call of the SDK names its operation, so that what it can call is readable from its text. */
function calledBySdk(): Set<string> {
  const texts = [...sources.values()].join('\n');
  return new Set(
    [
      ...texts.matchAll(
        /(?:\.call\(|\.exchange\(|createOnce\(this\.#api,|eachRecord\(this\.#api,|new EventReader<\w+>\()\s*(\w+)/g,
      ),
    ].map(([, name = '']) => name),
  );
}

describe('every operation', () => {
  it('is in the contract, the server, the OpenAPI document, the reference and the SDK, or in none of them', async () => {
    const { routes } = (await serviceForTest({ jobs: false })).app;
    const stated = operations.map(named).toSorted();
    const called = calledBySdk();
    const withMethod = operations.filter(({ exportedAs }) => called.has(exportedAs));
    const excused = operations.filter(({ id }) => id in WITHOUT_METHOD);
    expect({
      server: routes.map(named).toSorted(),
      openapi: inOpenApi().toSorted(),
      docs: inDocs().toSorted(),
      sdk: [...withMethod, ...excused].map(named).toSorted(),
    }).toEqual({ server: stated, openapi: stated, docs: stated, sdk: stated });
  });

  it('is exported under its own id', () => {
    expect(operations.filter(({ id, exportedAs }) => id !== exportedAs).map(named)).toEqual([]);
  });
});

type Calls = typeof calls;
/** Names of calls that send what the schemas of the operation do not take, or promise what they do not give. */
type Differing = {
  [Name in keyof Calls]: [
    Fits<types.ParamsOf<Calls[Name]>, api.ParamsOf<(typeof api)[Name]>>,
    Fits<types.InputOf<Calls[Name]>, api.InputOf<(typeof api)[Name]>>,
    Fits<types.QueryOf<Calls[Name]>, api.QueryOf<(typeof api)[Name]>>,
    Fits<api.AnswerOf<(typeof api)[Name]>, types.AnswerOf<Calls[Name]>>,
  ] extends true[]
    ? never
    : Name;
}[keyof Calls];
type Fits<A, B> = [A] extends [B] ? true : false;

describe('what the SDK knows of an operation while it runs', () => {
  it('is all of them, with the types that the schemas derive', () => {
    expect(Object.keys(calls).toSorted()).toEqual(operations.map(({ id }) => id).toSorted());
    expectTypeOf<Differing>().toEqualTypeOf<never>();
  });

  it('is no schema: neither the library nor a record is loaded with it', async () => {
    // The bundler writes the name of each file above what comes from it.
    const bundled = (await bundleSmoke('esm')).match(/^ *\/\/ \S+\.[jt]s$/gm) ?? [];
    expect(bundled.filter((file) => file.includes('sdk/src/operations.ts'))).toHaveLength(1);
    expect(bundled.filter((file) => /typebox|protocol\/\w+\/(api|records)\//.test(file))).toEqual([]);
  });
});

interface Shape {
  title?: string;
  description?: string;
  properties?: Record<string, { description?: string; default?: unknown }>;
  required?: string[];
}

const modules = readModules();
const declared = modules.get('contract.ts')?.declarations ?? new Map<string, never>();
const shapes = operations.flatMap(({ id, body, query, answer }) =>
  [body, query, answer].flatMap((part) => {
    const shape = part as Shape | undefined;
    return Object.keys(shape?.properties ?? {}).length > 0 ? [{ id, shape: shape as Shape }] : [];
  }),
);

describe('the types of the SDK', () => {
  it.each(shapes.map(({ id, shape }) => [`${id}: ${shape.title}`, shape] as const))(
    '%s has the members, the optional ones and the descriptions of the schema that the server validates with',
    (_name, shape) => {
      const type = declared.get(shape.title ?? '');
      const said = type?.members
        .filter(({ signature }) => !signature.startsWith('['))
        .map(({ name, signature, doc }) => ({ name, isOptional: /^\w+\?:/.test(signature), doc }));
      const members = Object.entries(shape.properties ?? {}).map(([name, member]) => ({
        name,
        isOptional: !shape.required?.includes(name) || member.default !== undefined,
        doc: member.description,
      }));
      expect({ doc: type?.doc, members: said }).toEqual({ doc: shape.description, members });
    },
  );

  it('state no member of the wire by hand', () => {
    const byHand = [...modules]
      // Details of errors are listed by their codes, which resemble members; arguments of tools are not of the API.
      .filter(([path]) => !/^(contract\.ts|generated\/.*|tools\/.*)$/.test(path))
      .flatMap(([path, { declarations }]) =>
        [...declarations.values()]
          .filter(({ kind, name }) => kind === 'interface' && name !== 'KnownDetails')
          .flatMap(({ name, members }) =>
            members
              .filter((member) => /^[a-z]+_[a-z_]+$/.test(member.name))
              .map((member) => `${path}: ${name}.${member.name}`),
          ),
      );
    expect(byHand.toSorted()).toEqual(BY_HAND);
  });
});

/** Added to a response by the SDK itself, or narrower than the wire. */
const BY_HAND = [
  'core/idempotency.ts: Keyed.idempotency_key',
  'wallet/decisions.ts: Ed25519DecisionKey.public_key',
  'wallet/decisions.ts: WebauthnDecisionKey.credential_id',
  'wallet/decisions.ts: WebauthnDecisionKey.public_key',
  'wallet/decisions.ts: WebauthnDecisionKey.rp_id',
  'wallet/inbox.ts: InboxOptions.connection_id',
];
