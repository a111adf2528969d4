declare function announceReturn(options?: AnnounceReturnOptions): AnnouncedReturn;
export {
  AnnounceReturnOptions,
  AnnouncedReturn,
  type PurchaseResult,
  type ReturnInfo,
  announceReturn,
};
interface AnnouncedReturn extends ReturnInfo {
  readonly result: Promise<PurchaseResult>;
}
interface ConfirmHint {
  purchaseId: string;
  returnUrl?: string;
}
interface Decline {
  code: string;
  reason: string;
  action: string;
}
interface OrderSummary {
  id: string;
  type: OrderType;
  custom_id?: string;
  product_id?: string;
  base?: string;
  base_amount?: string;
  quote?: string;
  quote_amount?: string;
  decline: Decline | null;
  redirect_url?: string;
  fail_redirect_url?: string;
  redirect_page?: string;
}
interface ReturnInfo {
  purchaseId?: string;
  status: "success" | "failure" | "unknown";
  orderId?: string;
  customId?: string;
  declineCode?: string;
  url: string;
}
interface WidgetError extends Error {
  readonly name: "WidgetError";
  readonly code: WidgetErrorCode;
  readonly recoverable: boolean;
  readonly companion?: {
    status: number;
    code?: string;
    message?: string;
  };
}
type AnnounceReturnOptions = Pick<TokenSource, "companion" | "headers" | "confirm">;
type Confirm = (hint: ConfirmHint) => Promise<OrderSummary | null>;
type OrderType = "payment_started" | "order_complete" | "order_failed" | (string & {});
type PurchaseResult = {
  status: "success";
  verified: boolean;
  order?: OrderSummary;
  returnUrl?: string;
} | {
  status: "failure";
  verified: boolean;
  order?: OrderSummary;
  decline?: Decline;
  returnUrl?: string;
} | {
  status: "closed";
  order?: OrderSummary;
} | {
  status: "unknown";
  reason: string;
  order?: OrderSummary;
} | {
  status: "redirected";
} | {
  status: "error";
  error: WidgetError;
};
type TokenSource = {
  companion: string;
  launch?: boolean;
  headers?: Record<string, string> | (() => Record<string, string> | Promise<Record<string, string>>);
  widgetUrl?: never;
  accessToken?: never;
  launchUrl?: never;
  confirm?: never;
} | {
  widgetUrl: string;
  accessToken: string | (() => string | Promise<string>);
  confirm?: Confirm;
  companion?: never;
  launch?: never;
  headers?: never;
  launchUrl?: never;
} | {
  widgetUrl: string;
  launchUrl: string;
  confirm?: Confirm;
  companion?: never;
  launch?: never;
  headers?: never;
  accessToken?: never;
};
type WidgetErrorCode = "invalid_options" | "token_failed" | "popup_blocked" | "open_failed" | "load_timeout" | "frame_blocked" | "confirm_failed" | "destroyed";
