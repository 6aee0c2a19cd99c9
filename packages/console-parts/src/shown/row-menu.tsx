// The menu of what can be done with a row of a list, or with what a page shows.
import { Menu } from '@mantine/core'
import type { ReactNode } from 'react'

/** @param button opens it. @param children its items. */
export function RowMenu({ button, children }: { button: ReactNode; children: ReactNode }) {
  return (
    <Menu
      position="bottom-end"
      withinPortal={false}
      withInitialFocusPlaceholder={false}
      transitionProps={{ duration: 0 }}
    >
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  )
}
