import type { ComponentType, ReactNode, Ref } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button';

export interface IconProps {
  readonly size?: number;
  readonly 'aria-hidden'?: boolean;
}
export type Icon = ComponentType<IconProps>;

export interface ButtonProps extends Omit<AriaButtonProps, 'children' | 'className'> {
  /** `primary`: the one next step of a view; `quiet`: without a frame until it is pointed at. */
  readonly variant?: 'primary' | 'plain' | 'quiet';
  readonly icon?: Icon;
  readonly children?: ReactNode;
  readonly className?: string;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** A button. One with an icon only needs an `aria-label`. */
export function Button({ variant = 'plain', icon: Icon, children, className, ...rest }: ButtonProps) {
  const only = children === undefined ? ' button-icon' : '';
  return (
    <AriaButton {...rest} className={`button button-${variant}${only} ${className ?? ''}`}>
      {Icon && <Icon size={16} aria-hidden />}
      {children}
    </AriaButton>
  );
}
