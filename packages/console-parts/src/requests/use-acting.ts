// Lets a button or a form act: once, however quickly it is pressed again.
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'

interface Acting<Input, Done> {
  act: (input: Input) => Promise<Done>
  onDone?: (done: Done) => void
  /** After it was done, or refused. The button waits for it. */
  after?: () => Promise<unknown>
}

export function useActing<Input = void, Done = unknown>({ act, onDone, after }: Acting<Input, Done>) {
  // A second press may come before the page is drawn again.
  const isUnderWay = useRef(false)
  const { mutate, error, isPending, isSuccess, data } = useMutation({
    mutationFn: act,
    onSuccess: (done) => onDone?.(done),
    onSettled: () => {
      isUnderWay.current = false
      return after?.()
    },
  })
  return {
    error,
    isPending,
    isSuccess,
    /** Its result. */
    done: data,
    act(input: Input) {
      if (isUnderWay.current) return
      isUnderWay.current = true
      mutate(input)
    },
  }
}
