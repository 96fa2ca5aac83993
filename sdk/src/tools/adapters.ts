import type { ToolObjectSchema } from './definitions.ts';
import type { ToolResult } from './outcome.ts';
import type { Tool, ToolCallOptions } from './payment-tools.ts';

/** A schema in the common form of standardschema.dev, which needs no package. */
export interface ToolStandardSchema {
  /** Fixed by the standard. */
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'payassent';
    /** Accepts every value: the tool checks its arguments itself, and reports to the model what to correct. */
    readonly validate: (value: unknown) => { readonly value: Record<string, unknown> };
    readonly jsonSchema: Readonly<Record<'input' | 'output', () => Record<string, unknown>>>;
  };
}

/** A tool as `generateText` and `streamText` of the AI SDK take it. */
export interface AiSdkTool {
  /** When and how to use it. */
  description: string;
  /** The arguments. */
  inputSchema: ToolStandardSchema;
  /** Runs the tool. */
  execute(
    args: Record<string, unknown>,
    options?: { abortSignal?: AbortSignal | undefined },
  ): Promise<ToolResult['structuredContent']>;
}

/** The tools for the AI SDK (`ai`): `generateText({ model, tools: aiSdkTools(paymentTools(connection)) })`. */
export function aiSdkTools(tools: readonly Tool<string>[]): Record<string, AiSdkTool> {
  const entries = tools.map(({ name, description, inputSchema, call }): [string, AiSdkTool] => [
    name,
    {
      description,
      inputSchema: standardSchema(inputSchema),
      execute: async (args, { abortSignal } = {}) =>
        (await call(args, withSignal(abortSignal))).structuredContent,
    },
  ]);
  return Object.fromEntries(entries);
}

function standardSchema(schema: ToolObjectSchema): ToolStandardSchema {
  // A fresh copy: some callers modify it.
  const copy = () => structuredClone(schema) as unknown as Record<string, unknown>;
  return {
    '~standard': {
      version: 1,
      vendor: 'payassent',
      validate: (value) => ({ value: value as Record<string, unknown> }),
      jsonSchema: { input: copy, output: copy },
    },
  };
}

/** A function tool as OpenAI's Chat Completions takes it. */
export interface OpenAiTool {
  /** Always a function. */
  type: 'function';
  /** Its name, description and arguments. */
  function: { name: string; description: string; parameters: Record<string, unknown> };
}

/** A function tool as OpenAI's Responses API takes it. */
export interface OpenAiResponsesTool {
  /** Always a function. */
  type: 'function';
  /** The name a model calls it by. */
  name: string;
  /** When and how to use it. */
  description: string;
  /** JSON Schema of the arguments. */
  parameters: Record<string, unknown>;
  /** Optional arguments stay optional. */
  strict: false;
}

/** One call out of the output of the Responses API. */
export interface OpenAiResponsesCall {
  /** The result refers to it. */
  call_id: string;
  /** Which tool. */
  name: string;
  /** JSON text. */
  arguments: string;
}

/** The result of a call of the Responses API: an item of its next input. */
export interface OpenAiResponsesOutput {
  /** Fixed by the API. */
  type: 'function_call_output';
  /** Of the call. */
  call_id: string;
  /** JSON text. */
  output: string;
}

/** One call out of an assistant's message. */
export interface OpenAiToolCall {
  /** The result refers to it. */
  id: string;
  /** Which tool, with arguments as JSON text. */
  function: { name: string; arguments: string };
}

/** The tools for OpenAI, and the results of their calls. */
export interface OpenAiTools {
  /** For `tools` of a completion. */
  tools: OpenAiTool[];
  /** For `tools` of the Responses API. */
  responsesTools: OpenAiResponsesTool[];
  /** Runs one call and returns the message to append; for a call of the Responses API the item of the next input. */
  run(
    call: OpenAiToolCall,
    options?: ToolCallOptions,
  ): Promise<{ role: 'tool'; tool_call_id: string; content: string }>;
  /** The same for a call of the Responses API. */
  run(call: OpenAiResponsesCall, options?: ToolCallOptions): Promise<OpenAiResponsesOutput>;
}

/** The tools for OpenAI's function calling, in Chat Completions and in the Responses API, and for the many programs that speak it. */
export function openAiTools(tools: readonly Tool<string>[]): OpenAiTools {
  const functions = tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    parameters: structuredClone(inputSchema) as unknown as Record<string, unknown>,
  }));
  const content = async (name: string, text: string, options: ToolCallOptions | undefined) => {
    const tool = tools.find((candidate) => candidate.name === name);
    return tool
      ? JSON.stringify((await tool.call(parsed(text), options)).structuredContent)
      : JSON.stringify({ error: { code: 'unknown_tool' }, next_step: `There is no tool ${name}.` });
  };
  async function run(call: OpenAiToolCall | OpenAiResponsesCall, options?: ToolCallOptions): Promise<never> {
    const made =
      'call_id' in call
        ? {
            type: 'function_call_output',
            call_id: call.call_id,
            output: await content(call.name, call.arguments, options),
          }
        : {
            role: 'tool',
            tool_call_id: call.id,
            content: await content(call.function.name, call.function.arguments, options),
          };
    return made as never;
  }
  return {
    tools: functions.map((each) => ({ type: 'function', function: each })),
    responsesTools: functions.map((each) => ({ type: 'function', ...each, strict: false })),
    run,
  };
}

/** Text that is no JSON is refused by the tool's own check of its arguments. */
function parsed(text: string): unknown {
  try {
    return text.trim() === '' ? {} : JSON.parse(text);
  } catch {
    return text;
  }
}

/** The second argument of LangChain's `tool`. */
export interface LangChainToolFields {
  /** The name a model calls it by. */
  name: string;
  /** When and how to use it. */
  description: string;
  /** JSON Schema of the arguments. */
  schema: Record<string, unknown>;
}

/**
 * The tools for LangChain, made by its own function: `langChainTools(paymentTools(connection), tool)` with `tool` from
 * `@langchain/core/tools`.
 */
export function langChainTools<Made>(
  tools: readonly Tool<string>[],
  make: (
    run: (args: never, config?: { signal?: AbortSignal | undefined }) => Promise<string>,
    fields: LangChainToolFields,
  ) => Made,
): Made[] {
  return tools.map(({ name, description, inputSchema, call }) =>
    make(
      async (args, config) =>
        JSON.stringify((await call(args, withSignal(config?.signal))).structuredContent),
      { name, description, schema: structuredClone(inputSchema) as unknown as Record<string, unknown> },
    ),
  );
}

function withSignal(signal: AbortSignal | undefined): ToolCallOptions {
  return signal ? { signal } : {};
}
