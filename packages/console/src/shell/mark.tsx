// The console's mark.
import mark from '../mark.svg'

export function Mark({ size = 32 }: { size?: number }) {
  return <img src={mark} alt="" width={size} height={size} />
}
