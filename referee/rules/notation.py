def square_text(code:int)->str: return str(code)
