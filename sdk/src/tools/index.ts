export {
  type AiSdkTool,
  aiSdkTools,
  type LangChainToolFields,
  langChainTools,
  type OpenAiResponsesCall,
  type OpenAiResponsesOutput,
  type OpenAiResponsesTool,
  type OpenAiTool,
  type OpenAiToolCall,
  type OpenAiTools,
  openAiTools,
  type ToolStandardSchema,
} from './adapters.ts';
export {
  CONNECT_WALLET_DEFINITION,
  TOOL_DEFINITIONS,
  type ToolAnnotations,
  type ToolDefinition,
  type ToolObjectSchema,
  type ToolSchema,
} from './definitions.ts';
export {
  failure as toolFailure,
  result as toolResult,
  type ToolResult,
} from './outcome.ts';
export {
  callTool,
  paymentTools,
  type Tool,
  type ToolCallOptions,
  type ToolsOptions,
} from './payment-tools.ts';
export { INSTRUCTIONS, NEXT_STEPS, OUTCOMES, RULES, type ToolName, type ToolOutcome } from './texts.ts';
