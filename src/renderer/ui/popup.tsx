import type { ReactNode, RefObject } from 'react';
import { Dialog, DialogTrigger } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Popover, type PopoverProps } from 'react-aria-components/Popover';
import { Button, type ButtonProps } from './button.tsx';

export interface PopupProps {
  /** Its button, by default a quiet one; without a text, its label is by default the heading. */
  readonly trigger: ButtonProps;
  readonly heading: string;
  readonly placement?: PopoverProps['placement'];
  readonly isWide?: boolean;
  /** For popups that other controls open too. */
  readonly isOpen?: boolean;
  readonly onOpenChange?: (isOpen: boolean) => void;
  readonly children: (close: () => void) => ReactNode;
}

/** A popup beside its button, which closes on an outside click. */
export function Popup(props: PopupProps) {
  const { trigger, heading, placement = 'bottom end', isWide = false, children, ...open } = props;
  return (
    <DialogTrigger {...open}>
      <Button
        variant="quiet"
        {...(trigger.children === undefined ? { 'aria-label': heading } : {})}
        {...trigger}
      />
      <Popover className="popover" placement={placement}>
        <PopupDialog heading={heading} isWide={isWide}>
          {children}
        </PopupDialog>
      </Popover>
    </DialogTrigger>
  );
}

export interface PopupAtProps {
  readonly at: RefObject<Element | null>;
  readonly heading: string;
  readonly placement: NonNullable<PopoverProps['placement']>;
  readonly isWide?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A popup that is open while it is mounted, for menus and shortcuts. */
export function PopupAt({ at, heading, placement, isWide = false, onClose, children }: PopupAtProps) {
  return (
    <Popover
      className="popover"
      triggerRef={at}
      isOpen
      onOpenChange={(open) => !open && onClose()}
      placement={placement}
    >
      <PopupDialog heading={heading} isWide={isWide}>
        {() => children}
      </PopupDialog>
    </Popover>
  );
}

type PopupDialogProps = Required<Pick<PopupProps, 'heading' | 'isWide' | 'children'>>;

function PopupDialog({ heading, isWide, children }: PopupDialogProps) {
  return (
    <Dialog className={isWide ? 'popup popup-wide' : 'popup'}>
      {({ close }) => (
        <>
          <Heading slot="title" className="popup-heading">
            {heading}
          </Heading>
          {children(close)}
        </>
      )}
    </Dialog>
  );
}
