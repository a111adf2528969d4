declare function buildWidgetUrl(parts: WidgetUrlParts): string;
declare function parseReturnUrl(url: string, addresses?: ReturnAddresses): ReturnInfo | null;
declare function resolveRedirect(order: Pick<OrderSummary, "type" | "redirect_url" | "fail_redirect_url" | "redirect_page">, options?: {
  allowedReturnOrigins?: readonly string[] | undefined;
}): Redirect | null;
export {
  type OrderSummary,
  type Redirect,
  type ReturnAddresses,
  type ReturnInfo,
  type WidgetUrlParts,
  buildWidgetUrl,
  parseReturnUrl,
  resolveRedirect,
};
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
interface Redirect {
  url: string;
  target: "_self" | "_blank";
}
interface ReturnAddresses {
  companion?: string | undefined;
  redirectUrl?: string | undefined;
  failRedirectUrl?: string | undefined;
}
interface ReturnInfo {
  purchaseId?: string;
  status: "success" | "failure" | "unknown";
  orderId?: string;
  customId?: string;
  declineCode?: string;
  url: string;
}
interface WidgetUrlParts {
  widgetUrl: string;
  accessToken: string;
  params?: QueryParams;
  plainHttpHosts?: readonly string[] | undefined;
}
type OrderType = "payment_started" | "order_complete" | "order_failed" | (string & {});
type QueryParams = Readonly<Record<string, string | undefined>>;
