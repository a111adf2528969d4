declare const PurchaseButton: ForwardRefExoticComponent<PurchaseButtonProps & RefAttributes<HTMLElement>>;
declare const PurchaseWidget: ForwardRefExoticComponent<PurchaseWidgetProps & RefAttributes<PurchaseWidgetHandle>>;
declare function PurchaseWidgetProvider(props: PurchaseWidgetProviderProps): ReactElement;
declare function usePurchaseWidget(options: UsePurchaseWidgetOptions): UsePurchaseWidget;
export {
  type Container,
  PurchaseButton,
  type PurchaseButtonElementProps,
  type PurchaseButtonProps,
  type PurchaseButtonState,
  type PurchaseLinkElementProps,
  type PurchaseResult,
  PurchaseWidget,
  type PurchaseWidgetEvents,
  type PurchaseWidgetHandle,
  type PurchaseWidgetProps,
  PurchaseWidgetProvider,
  type PurchaseWidgetProviderProps,
  type ReturnEvent,
  type SharedOptions,
  type SurfaceOptions,
  type UsePurchaseWidget,
  type UsePurchaseWidgetOptions,
  type WidgetError,
  type WidgetState,
  usePurchaseWidget,
};
import { AnchorHTMLAttributes, ButtonHTMLAttributes, CSSProperties, ForwardRefExoticComponent, MouseEventHandler, ReactElement, ReactNode, Ref, RefAttributes, RefObject } from "react";
import { PurchaseResult, PurchaseWidget as PurchaseWidget$1, ReturnEvent, TokenSource, WidgetBehaviour, WidgetError, WidgetError as WidgetError$1, WidgetEventProps, WidgetState, WidgetState as WidgetState$1 } from "@purchase-widget/loader";
interface PurchaseWidgetEvents extends WidgetEventProps {
  onSuccess?: NonNullable<WidgetEventProps["onSuccess"]>;
  onFailure?: NonNullable<WidgetEventProps["onFailure"]>;
  onResult?: NonNullable<WidgetEventProps["onResult"]>;
  onError?: NonNullable<WidgetEventProps["onError"]>;
  onReturn?: NonNullable<WidgetEventProps["onReturn"]>;
  onReady?: NonNullable<WidgetEventProps["onReady"]>;
}
interface SourceFromProvider {
  companion?: never;
  launch?: never;
  headers?: never;
  widgetUrl?: never;
  accessToken?: never;
  launchUrl?: never;
  confirm?: never;
}
interface UsePurchaseWidget {
  state: WidgetState$1;
  open: PurchaseWidget$1["open"];
  close: PurchaseWidget$1["close"];
  preload: PurchaseWidget$1["preload"];
}
type Container = Element | string | RefObject<Element | null>;
type PurchaseButtonElementProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  ref: Ref<HTMLButtonElement>;
  "data-status": PurchaseButtonState["status"];
};
type PurchaseButtonProps = UsePurchaseWidgetOptions & Pick<ButtonHTMLAttributes<HTMLElement>, "children" | "className" | "style"> & {
  onClick?: MouseEventHandler<HTMLElement>;
} & Rendered;
type PurchaseButtonState = {
  status: "idle";
} | {
  status: "pending";
} | {
  status: "error";
  error: WidgetError$1;
};
type PurchaseLinkElementProps = AnchorHTMLAttributes<HTMLAnchorElement> & {
  ref: Ref<HTMLAnchorElement>;
  "data-status": PurchaseButtonState["status"];
};
type PurchaseWidgetHandle = Pick<PurchaseWidget$1, "open" | "close" | "preload" | "getSnapshot">;
type PurchaseWidgetProps = SharedOptions & PurchaseWidgetEvents & {
  fallback?: ReactNode;
  className?: string;
  style?: CSSProperties;
};
type PurchaseWidgetProviderProps = SharedOptions & {
  children?: ReactNode;
};
type Rendered = {
  href?: never;
  disabled?: boolean;
  render?: (props: PurchaseButtonElementProps, state: PurchaseButtonState) => ReactNode;
} | {
  href: string;
  disabled?: never;
  render?: (props: PurchaseLinkElementProps, state: PurchaseButtonState) => ReactNode;
};
type SharedOptions = (TokenSource | SourceFromProvider) & Omit<WidgetBehaviour, "mode" | "container" | "whenBlocked" | "popup" | "preload">;
type SurfaceOptions = Pick<WidgetBehaviour, "preload"> & ({
  mode: "iframe";
  container: Container;
  whenBlocked?: never;
  popup?: never;
} | ({
  mode?: "modal" | "popup" | "redirect";
  container?: never;
} & Pick<WidgetBehaviour, "whenBlocked" | "popup">));
type UsePurchaseWidgetOptions = SharedOptions & SurfaceOptions & PurchaseWidgetEvents;
