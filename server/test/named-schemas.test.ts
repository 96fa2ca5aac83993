import { describe, expect, it } from 'vitest';
import { generatedFiles } from '../src/generate/index.ts';
import { nameSchemas } from '../src/http/openapi/components.ts';

interface Member {
  name: string;
  members: Member[];
}
interface Page {
  membersOf(schema: unknown): Member[];
  flatten(schema: unknown): unknown;
  resolveReferences(document: object): Document;
}
interface Document {
  paths: Record<
    string,
    Record<
      string,
      {
        parameters?: object[];
        requestBody?: { content: Record<string, { schema: unknown }> };
        responses: Record<string, { content: Record<string, { schema: unknown }> }>;
      }
    >
  >;
  components: { schemas: Record<string, unknown>; parameters: Record<string, unknown> };
}

const document = JSON.parse(generatedFiles()['openapi.json'] ?? '') as Document;

describe('the schemas of the OpenAPI document', () => {
  it('have names, and each record is in one place', () => {
    const names = Object.keys(document.components.schemas);
    expect(names).toEqual(
      expect.arrayContaining(['PaymentRequest', 'Connection', 'Recipient', 'AutomationPolicy']),
    );
    const withoutExamples = (name: string, value: unknown) => (name === 'example' ? undefined : value);
    expect(JSON.stringify(document.paths, withoutExamples).includes('"title":"')).toBe(false);
  });

  it('name every input', () => {
    const inputs = Object.values(document.paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ requestBody }) => (requestBody ? [requestBody.content['application/json']?.schema] : []));
    expect(inputs.length).toBeGreaterThan(40);
    expect(inputs.filter((schema) => !(schema as { $ref?: string }).$ref)).toEqual([]);
  });

  it('fit into 330 KB as they are served', () => {
    expect(JSON.stringify(document).length).toBeLessThan(330_000);
  });

  it('cannot have one name for two things', () => {
    const schema = (type: string) => ({ title: 'Thing', type });
    const two = { paths: { a: schema('string'), b: schema('integer') }, components: { schemas: {} } };
    expect(() => nameSchemas(two)).toThrow('Two different schemas have the title Thing');
  });

  it('are shown whole by the reference page', async () => {
    const file = new URL('../../web/docs/schema.mjs', import.meta.url).href;
    const page = (await import(file)) as Page;
    const read = page.resolveReferences(document).paths['/v1/payment-requests/{id}']?.['get'];
    const schema = read?.responses['200']?.content['application/json']?.schema;
    const named = (list: Member[], prefix = ''): string[] =>
      list.flatMap(({ name, members: inner }) => [prefix + name, ...named(inner, `${prefix}${name}.`)]);
    const members = named(page.membersOf(page.flatten(schema)));
    expect(members).toEqual(
      expect.arrayContaining([
        'payment_request',
        'payment_request.payment.amount',
        'payment_request.payee.name',
      ]),
    );
  });
});
