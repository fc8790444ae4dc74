import type { ReactNode, RefObject } from 'react';
import { Dialog, DialogTrigger } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Popover, type PopoverProps } from 'react-aria-components/Popover';

export interface PopupProps {
  /** The button that opens it. */
  readonly trigger: ReactNode;
  readonly heading: string;
  readonly placement?: PopoverProps['placement'];
  /** More room than a few fields take. */
  readonly wide?: boolean;
  /** Where something else opens it too: whether it is open, and when that changes. */
  readonly isOpen?: boolean;
  readonly onOpenChange?: (isOpen: boolean) => void;
  readonly children: (close: () => void) => ReactNode;
}

/** A small window beside its button, which goes when something else is pressed. */
export function Popup(props: PopupProps) {
  const { trigger, heading, placement = 'bottom end', wide = false, isOpen, onOpenChange, children } = props;
  return (
    <DialogTrigger
      {...(isOpen === undefined ? {} : { isOpen })}
      {...(onOpenChange === undefined ? {} : { onOpenChange })}
    >
      {trigger}
      <Popover className="popover" placement={placement}>
        <Dialog className={wide ? 'popup popup-wide' : 'popup'}>
          {({ close }) => (
            <>
              <Heading slot="title" className="popup-heading">
                {heading}
              </Heading>
              {children(close)}
            </>
          )}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

export interface PopupAtProps {
  /** What it stands beside. */
  readonly at: RefObject<Element | null>;
  readonly heading: string;
  readonly placement: NonNullable<PopoverProps['placement']>;
  readonly wide?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A small window that is open for as long as it is drawn, for what is asked for by a menu or a key. */
export function PopupAt({ at, heading, placement, wide = false, onClose, children }: PopupAtProps) {
  return (
    <Popover
      className="popover"
      triggerRef={at}
      isOpen
      onOpenChange={(open) => !open && onClose()}
      placement={placement}
    >
      <Dialog className={wide ? 'popup popup-wide' : 'popup'}>
        <Heading slot="title" className="popup-heading">
          {heading}
        </Heading>
        {children}
      </Dialog>
    </Popover>
  );
}
