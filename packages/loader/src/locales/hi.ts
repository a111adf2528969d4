/** Hindi. */
import type { WidgetStrings } from '../types.ts'

export const strings: WidgetStrings = {
  title: 'खरीदारी',
  close: 'बंद करें',
  loading: 'लोड हो रहा है…',
  connecting: 'अभी भी कनेक्ट हो रहा है…',
  cancel: 'रद्द करें',
  inOtherWindow: 'खरीदारी का पेज दूसरी विंडो में खुला है।',
  bringToFront: 'विंडो दिखाएँ',
  windowLost: 'अगर आपने खरीदारी की विंडो बंद कर दी है, तो उसे फिर से खोलें।',
  finished: 'मैंने पूरा कर लिया',
  trouble: 'कोई समस्या है?',
  notLoading: 'खरीदारी का पेज लोड नहीं हो सका।',
  failed: 'खरीदारी शुरू नहीं हो सकी।',
  notCharged: 'आपसे कोई शुल्क नहीं लिया गया है।',
  retry: 'फिर से कोशिश करें',
  openInNewWindow: 'नई विंडो में खोलें',
  confirming: 'आपकी खरीदारी की जाँच हो रही है…',
  notConfirmed: 'अभी पता नहीं चला है कि आपकी खरीदारी पूरी हुई या नहीं।',
  askAgain: 'फिर से जाँचें',
  processing: 'आपका भुगतान प्रोसेस हो रहा है। दोबारा भुगतान न करें।',
  underReview: 'आपका भुगतान हो गया है। स्टोर आपकी खरीदारी की जाँच कर रहा है।',
  dismiss: 'छिपाएँ',
}
