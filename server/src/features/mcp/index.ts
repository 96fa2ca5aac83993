import type { Feature } from '../feature.ts';
import { documents } from './documents.ts';
import { mcpRoute } from './routes.ts';

export { TOOL_CALLS } from './routes.ts';

/** The door for models: the tools over MCP, and the texts that explain them. */
export function mcpFeature(within: Parameters<typeof mcpRoute>[0]): Feature {
  return { name: 'mcp', routes: [mcpRoute(within)], documents };
}
