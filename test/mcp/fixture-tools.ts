// The tools that the public conformance suite expects, so that its checks of tool calls run. Only the suite's harness uses them.
import type { McpTool } from '@clinic-data/gateway/mcp/mcp-tool'
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  MissingRequiredClientCapabilityError,
  type ServerContext,
} from '@modelcontextprotocol/server'

/** One red pixel, and a fraction of a second of silence. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
const SILENCE = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='

const text = { type: 'text', text: 'This is a simple text response for testing.' } as const
const image = { type: 'image', data: PIXEL, mimeType: 'image/png' } as const
const audio = { type: 'audio', data: SILENCE, mimeType: 'audio/wav' } as const
const resource = {
  type: 'resource',
  resource: { uri: 'test://embedded-resource', mimeType: 'text/plain', text: 'An embedded resource.' },
} as const

function tool(
  name: string,
  description: string,
  call: (context: ServerContext) => ReturnType<McpTool['call']>,
): McpTool {
  return {
    definition: { name, description, inputSchema: { type: 'object' } },
    scope: null,
    call: (_given, _caller, context) => call(context),
  }
}

const answers =
  (...content: CallToolResult['content']) =>
  () => ({ content })

export const fixtureTools: readonly McpTool[] = [
  tool('test_simple_text', 'Answers with text.', answers(text)),
  tool('test_image_content', 'Answers with an image.', answers(image)),
  tool('test_audio_content', 'Answers with a sound.', answers(audio)),
  tool('test_embedded_resource', 'Answers with a resource.', answers(resource)),
  tool('test_multiple_content_types', 'Answers with text, an image and a resource.', answers(text, image, resource)),
  tool('test_error_handling', 'Fails.', () => ({
    content: [{ type: 'text', text: 'This tool intentionally returns an error for testing' }],
    isError: true,
  })),
  tool('test_tool_with_progress', 'Tells of its progress.', async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken
    for (const progress of progressToken === undefined ? [] : [0, 50, 100])
      await mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken: progressToken ?? '', progress, total: 100 },
      })
    return { content: [text] }
  }),
  tool('test_logging_tool', 'Logs, for those who asked for it.', async ({ mcpReq }) => {
    await mcpReq.log('info', 'called')
    return { content: [text] }
  }),
  tool('test_streaming_elicitation', 'Asks back.', () => inputRequired({ inputRequests: { name: askName() } })),
  tool('test_missing_capability', 'Needs a client that can sample.', ({ mcpReq }) => {
    const envelope = mcpReq.envelope as Record<string, { sampling?: object } | undefined> | undefined
    const declared = envelope?.[CLIENT_CAPABILITIES_META_KEY]
    if (declared?.sampling === undefined) {
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } })
    }
    return { content: [text] }
  }),
]

function askName() {
  return inputRequired.elicit({
    message: 'What is your name?',
    requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  })
}
