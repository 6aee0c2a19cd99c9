// Makes a file's name safe where it leaves: a person sees all of it, and its extension is one of the file's type. Others sent the name.
import { MAX } from '../limits.ts'
import { visibleText } from './visible-text.ts'

/** The extensions of a type, its usual one first. `x-` before a subtype makes no difference. No system runs a file for such an extension. */
const EXTENSIONS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    'application/7z-compressed': '7z',
    'application/dicom': 'dcm dicom',
    'application/json': 'json',
    'application/msword': 'doc dot',
    'application/pdf': 'pdf',
    'application/rtf': 'rtf',
    'application/vnd.ms-excel': 'xls csv',
    'application/vnd.ms-powerpoint': 'ppt pps',
    'application/vnd.oasis.opendocument.presentation': 'odp',
    'application/vnd.oasis.opendocument.spreadsheet': 'ods',
    'application/vnd.oasis.opendocument.text': 'odt',
    'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
    'application/vnd.rar': 'rar',
    'application/zip': 'zip',
    'application/zip-compressed': 'zip',
    'audio/3gpp': '3gp',
    'audio/aac': 'aac',
    'audio/amr': 'amr',
    'audio/basic': 'au',
    'audio/flac': 'flac',
    'audio/gsm': 'gsm',
    'audio/m4a': 'm4a',
    'audio/mp3': 'mp3',
    'audio/mp4': 'm4a mp4',
    'audio/mpeg': 'mp3',
    'audio/ms-wma': 'wma',
    'audio/ogg': 'ogg oga opus',
    'audio/opus': 'opus',
    'audio/vnd.wave': 'wav',
    'audio/wav': 'wav',
    'audio/wave': 'wav',
    'audio/webm': 'webm weba',
    'image/avif': 'avif',
    'image/bmp': 'bmp',
    'image/gif': 'gif',
    'image/heic': 'heic heif',
    'image/heif': 'heif heic',
    'image/jp2': 'jp2',
    'image/jpeg': 'jpg jpeg jpe jfif',
    'image/jpg': 'jpg jpeg',
    'image/ms-bmp': 'bmp',
    'image/png': 'png',
    'image/tiff': 'tif tiff',
    'image/webp': 'webp',
    'model/obj': 'obj',
    'model/ply': 'ply',
    'model/stl': 'stl',
    'text/csv': 'csv',
    'text/plain': 'txt text log',
    'text/rtf': 'rtf',
    'text/vcard': 'vcf',
    'video/3gpp': '3gp',
    'video/avi': 'avi',
    'video/m4v': 'm4v',
    'video/matroska': 'mkv',
    'video/mp4': 'mp4 m4v',
    'video/mpeg': 'mpg mpeg',
    'video/ms-wmv': 'wmv',
    'video/msvideo': 'avi',
    'video/ogg': 'ogv ogg',
    'video/quicktime': 'mov qt',
    'video/webm': 'webm',
  }).map(([type, extensions]) => [type, extensions.split(' ')]),
)
const KNOWN: ReadonlySet<string> = new Set(['bin', ...[...EXTENSIONS.values()].flat()])

const CONTROLS = /[\p{Cc}\u2028\u2029]+/gu
/** On Windows, `:` names a drive or a second stream. */
const SEPARATORS = /[/\\:]/g
/** Windows drops them at the end, so `a.exe.` would be `a.exe`. A dot at the beginning hides a file, or leads to another folder. */
const EDGES = /^[.\s]+|[.\s]+$/gu

/**
 * The same for a name that has been made safe.
 *
 * @example safeFileName('photo\u202egnp.exe', 'image/png') // 'photognp.exe.png'
 */
export function safeFileName(name: string, contentType: string): string {
  const seen = visibleText(name).replace(CONTROLS, '').replace(SEPARATORS, '_').replace(EDGES, '') || 'file'
  const missing = missingExtension(seen, contentType)
  const room = MAX.file_name - missing.length
  // A cut within a character would leave half of it.
  return (seen.length > room ? seen.slice(0, room).replace(/[\ud800-\udbff]$/, '') : seen) + missing
}

/** A type that is not listed says little of the extension: every listed one is harmless. */
function missingExtension(name: string, contentType: string): string {
  const type = (contentType.split(';', 1)[0] ?? '').trim().toLowerCase().replace('/x-', '/')
  const own = EXTENSIONS.get(type)
  const at = name.lastIndexOf('.')
  const last = at === -1 ? null : name.slice(at + 1).toLowerCase()
  if (own !== undefined) return last !== null && own.includes(last) ? '' : `.${own[0]}`
  return last === null || KNOWN.has(last) ? '' : '.bin'
}
