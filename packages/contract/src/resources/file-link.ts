// A signed link to a recording or to a message's media: needs no key, is valid for 15 minutes, serves `Range`.
import { MAX } from '../limits.ts'
import { about, Instant, named, object, Type, text } from '../schema/schema.ts'

export const FileLink = named(
  'FileLink',
  object({
    url: text(MAX.url, { format: 'uri', description: 'Needs no key; serves `Range`. Treat it as a secret.' }),
    expires_at: about('Fifteen minutes after this answer. Then ask for a new link.', Instant),
    content_type: text(MAX.content_type),
    file_name: text(MAX.file_name),
    size_bytes: Type.Integer({ minimum: 0, maximum: MAX.file, format: 'int64' }),
  }),
  {
    url: 'https://api.example.com/files/c29tZS1maWxl?exp=1783846800&sig=bm90LWEtc2lnbmF0dXJl',
    expires_at: '2026-07-12T10:00:00+03:00',
    content_type: 'audio/wav',
    file_name: 'c7710.wav',
    size_bytes: 48044,
  },
)
