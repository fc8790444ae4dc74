import type { ComponentType, ReactNode, Ref } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button';
import { Tooltip, TooltipTrigger } from 'react-aria-components/Tooltip';

export type Icon = ComponentType<{ size?: number; 'aria-hidden'?: boolean }>;

export interface ButtonProps extends Omit<AriaButtonProps, 'children' | 'className'> {
  /** `primary`: the next step of a view; `quiet`: no border until hovered; `link`: in a text or a table. */
  readonly variant?: 'primary' | 'plain' | 'quiet' | 'link';
  /** `small`: in a line of text. */
  readonly size?: 'small' | 'medium';
  /** Whether its text starts at the left and can have several lines. */
  readonly isMultiline?: boolean;
  readonly icon?: Icon;
  /** Whether a button with only an icon shows its label in a wide window. */
  readonly isWorded?: boolean;
  readonly children?: ReactNode;
  readonly className?: string;
  /** The shortcut for display. A button with only an icon shows it in the tooltip. */
  readonly keys?: string | undefined;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** In milliseconds, so that a passing pointer opens no tooltip. */
const tooltipDelay = 500;

/** Without text it needs an `aria-label`, which is also its tooltip. */
export function Button({
  variant = 'plain',
  size = 'medium',
  isMultiline = false,
  icon: Icon,
  isWorded = false,
  children,
  className = '',
  keys,
  ...rest
}: ButtonProps) {
  const form = `${children === undefined ? 'button-icon ' : ''}${isMultiline ? 'button-multiline ' : ''}${isWorded ? 'button-worded ' : ''}`;
  const button = (
    <AriaButton {...rest} className={`button button-${variant} button-${size} ${form}${className}`}>
      {Icon && <Icon size={16} aria-hidden />}
      {children}
    </AriaButton>
  );
  const label = rest['aria-label'];
  if (children !== undefined || label === undefined) return button;
  return (
    <TooltipTrigger delay={tooltipDelay} closeDelay={0}>
      {button}
      <Tooltip className="tooltip" placement="bottom" offset={4}>
        {label}
        {keys !== undefined && <kbd className="tooltip-keys">{keys}</kbd>}
      </Tooltip>
    </TooltipTrigger>
  );
}
