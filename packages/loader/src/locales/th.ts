/** Thai. */
import type { WidgetStrings } from '../types.ts'

export const strings: WidgetStrings = {
  title: 'การสั่งซื้อ',
  close: 'ปิด',
  loading: 'กำลังโหลด…',
  connecting: 'ยังอยู่ระหว่างการเชื่อมต่อ…',
  cancel: 'ยกเลิก',
  inOtherWindow: 'หน้าการสั่งซื้อของคุณเปิดอยู่ในหน้าต่างอื่น',
  bringToFront: 'แสดงหน้าต่าง',
  windowLost: 'หากคุณปิดหน้าต่างการซื้อไปแล้ว ให้เปิดอีกครั้ง',
  finished: 'ฉันทำเสร็จแล้ว',
  trouble: 'พบปัญหาใช่ไหม',
  notLoading: 'ไม่สามารถโหลดหน้าการสั่งซื้อได้',
  failed: 'ไม่สามารถเริ่มการสั่งซื้อได้',
  notCharged: 'ไม่มีการเรียกเก็บเงินจากคุณ',
  retry: 'ลองอีกครั้ง',
  openInNewWindow: 'เปิดในหน้าต่างใหม่',
  confirming: 'กำลังตรวจสอบการสั่งซื้อของคุณ…',
  notConfirmed: 'ยังไม่ทราบว่าการสั่งซื้อของคุณสำเร็จหรือไม่',
  askAgain: 'ตรวจสอบอีกครั้ง',
  processing: 'กำลังดำเนินการชำระเงินของคุณ โปรดอย่าชำระเงินซ้ำ',
  underReview: 'คุณชำระเงินแล้ว ร้านค้ากำลังตรวจสอบการสั่งซื้อของคุณ',
  dismiss: 'ซ่อน',
}
