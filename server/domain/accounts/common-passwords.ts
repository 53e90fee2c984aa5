/** The published password of the demo accounts. It is valid only for requests from this machine. */
export const DEMO_PASSWORD = "read-write-repeat";

/** The most common leaked passwords of at least eight characters, in lower case. */
export const commonPasswords = new Set(
  `12345678 123456789 1234567890 password password1 password12 password123 password1234 passw0rd p@ssw0rd p@ssword
  qwertyui qwertyuiop qwerty12 qwerty123 qwerty1234 1q2w3e4r 1q2w3e4r5t 1qaz2wsx zaq12wsx q1w2e3r4 qazwsxedc 1qazxsw2
  asdfghjk asdfghjkl asdf1234 zxcvbnm1 zxcvbnm123 abcdefgh abcd1234 abc12345 a1b2c3d4 aa123456 aaaaaaaa aaaaaaaaa
  11111111 111111111 1111111111 00000000 000000000 0000000000 22222222 33333333 55555555 66666666 77777777 88888888
  99999999 12121212 123123123 12341234 11223344 1122334455 112233445566 123321123 123456789a 123456789q 12345678a
  a12345678 a123456789 987654321 9876543210 87654321 0987654321 0123456789 01234567 147258369 147852369 159753456
  iloveyou iloveyou1 iloveyou2 sunshine sunshine1 princess princess1 football football1 baseball baseball1 basketball
  superman superman1 batman123 spiderman pokemon1 starwars starwars1 trustno1 whatever whatever1 welcome1 welcome12
  welcome123 letmein1 letmein12 letmein123 admin123 admin1234 administrator adminadmin root1234 rootroot test1234
  testtest test12345 testing1 changeme changeme1 changeme123 default1 temp1234 guest1234 master123 masterkey
  computer computer1 internet internet1 samsung1 samsung123 google123 facebook facebook1 linkedin myspace1 twitter1
  michelle jennifer jessica1 michael1 charlie1 danielle victoria jonathan nicholas patricia christian alexander
  alexandra elizabeth stephanie samantha benjamin anthony1 matthew1 thomas123 william1 robert12 daniel123 andrew123
  butterfly chocolate chocolate1 dolphins elephant flowers1 rainbow1 blahblah lovelove loveyou1 babygirl babygirl1
  babyboy1 teddybear sweetheart angel123 hello123 hello1234 hellohello hottie123 liverpool liverpool1 chelsea1
  arsenal1 manchester barcelona realmadrid juventus corvette mercedes ferrari1 porsche1 mustang1 yamaha12 kawasaki
  swordfish dragon12 dragon123 monkey12 monkey123 shadow12 shadow123 tigger12 cheese12 killer12 ninja123 hunter12
  gateway1 midnight november december september scorpion startrek security secret12 secret123 marlboro blink182
  asdasdasd asd123456 qweqweqwe qwe123456 qweasdzxc qweasd123 zxczxczxc 1234qwer qwer1234 1234abcd 12qwaszx q1q1q1q1
  qwertzui qwertz123 azertyui azertyuiop passwort passwort1 motdepasse contraseña senha123 parola12 hallo123 sommer12
  summer12 summer123 winter12 winter123 spring12 autumn12 monday12 friday12 lakers24 cowboys1 yankees1 redsox12
  letmein! password! password1! passw0rd! welcome1! qwerty123! admin123! 1234567890qwerty qwertyuiop123 asdfghjkl123
  ${DEMO_PASSWORD}`
    .split(/\s+/)
    .filter(Boolean),
);
